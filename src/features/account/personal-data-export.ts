import { EXPORT_SECTIONS, readPages } from './personal-data-store'
import type { Deps } from '../../deps'
import { toIso } from '../../lib/iso'

/** Everything about a person as the bytes of one JSON object, read while it is written. */
export function exportPersonalData(deps: Deps, userId: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const chunks = writeJson(deps, userId)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

async function* writeJson(deps: Deps, userId: string): AsyncGenerator<string, undefined> {
  yield `{\n"exportedAt": ${JSON.stringify(toIso(deps.clock.now()))}`
  for (const section of EXPORT_SECTIONS) {
    yield `,\n${JSON.stringify(section.name)}: [`
    let count = 0
    for await (const rows of readPages(deps.db, section, userId)) {
      yield rows.map((row) => `${count++ === 0 ? '' : ','}\n  ${JSON.stringify(row)}`).join('')
    }
    yield count === 0 ? ']' : '\n]'
  }
  yield '\n}\n'
  return undefined
}
