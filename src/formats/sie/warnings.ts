import type { FileWarning } from '../../shared/files'

/** Warnings of one code that are told one by one; the rest is counted. */
const LISTED_MAX = 20

/** Collects warnings without growing with the file. */
export class WarningCollector {
  readonly #told = new Map<FileWarning['code'], { list: FileWarning[]; count: number }>()

  add(code: FileWarning['code'], message: string, line?: number): void {
    const found = this.#told.get(code) ?? { list: [], count: 0 }
    this.#told.set(code, found)
    if (found.count++ < LISTED_MAX) found.list.push(line === undefined ? { code, message } : { code, message, line })
  }

  list(): FileWarning[] {
    return [...this.#told].flatMap(([code, { list, count }]) =>
      count > list.length ? [...list, { code, message: `${count - list.length} more like these.` }] : list,
    )
  }
}
