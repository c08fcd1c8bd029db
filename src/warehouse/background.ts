import { proposeRelations } from './relations/propose'
import { recountRelations } from './relations/relations'
import { prepare } from './rollups/rollups'
import type { Room } from './room'
import { log } from '../lib/log'
import type { Ids } from '../shared/ids'

/** What the object's owner lends to work that goes on after an answer. */
interface Means {
  room: () => Room
  ids: Ids
  /** Keeps the object awake for it. */
  keep: (work: Promise<void>) => void
  /** Removes the bytes of what was let go. */
  tidy: () => Promise<unknown>
}

/** Work that follows new rows or a question, after its call was answered: it holds nothing up and makes nothing fail. */
export class Background {
  readonly #means: Means
  readonly #following = new Set<Promise<void>>()
  readonly #preparing = new Set<string>()
  #stopped = false

  constructor(means: Means) {
    this.#means = means
  }

  /** After new rows: relations are counted again and looked for, then what is answered from them is made again. */
  follow(workspaceId: string, datasetId: string): void {
    const work = this.#later('relations', datasetId, () => this.relate(datasetId)).finally(() => {
      this.#following.delete(work)
      this.prepare(workspaceId, datasetId)
    })
    this.#following.add(work)
    this.#means.keep(work)
  }

  /** When everything that loads have set going has been looked at: whoever asks for relations waits for it. */
  async followed(): Promise<void> {
    await Promise.all(this.#following)
  }

  /** The rows are about to go: nothing is begun any more, and what fails for that is no fault. */
  stop(): void {
    this.#stopped = true
  }

  async relate(datasetId: string): Promise<void> {
    const { room, ids } = this.#means
    await recountRelations(room(), datasetId)
    await proposeRelations(room(), ids, datasetId)
  }

  /** Makes what answers are read from; one dataset is worked on once at a time. */
  prepare(workspaceId: string, datasetId: string): void {
    if (this.#preparing.has(datasetId)) return
    const { room, tidy, keep } = this.#means
    const work = this.#later('rollups', datasetId, async () => {
      await prepare(room(), { workspaceId, datasetId })
      await tidy()
    }).finally(() => this.#preparing.delete(datasetId))
    this.#preparing.add(datasetId)
    keep(work)
  }

  /** After this call's answer has left. A fault is logged, nobody waits for it. */
  async #later(what: string, datasetId: string, work: () => Promise<void>): Promise<void> {
    await this.#means.room().pause()
    if (this.#stopped) return
    await work().catch((error: unknown) => {
      if (!this.#stopped) log('error', what, { dataset: datasetId, error: String(error) })
    })
  }
}
