import { proposeRelations } from './relations/propose'
import { recountRelations } from './relations/service'
import { convertDataset } from './segments/convert-rows'
import type { WarehouseContext } from './context'
import { log } from '../lib/log'
import type { Ids } from '../shared/ids'

/** What the object's owner lends to work that goes on after an answer. */
interface BackgroundHost {
  context: () => WarehouseContext
  ids: Ids
  /** Keeps the object awake for it. */
  waitUntil: (work: Promise<void>) => void
  /** Removes the bytes of what was let go. */
  dropDiscarded: () => Promise<unknown>
  /** Gets the different values of a dataset ready to be found. */
  warmValues: (datasetId: string) => Promise<void>
}

/** Work that follows new rows or a question, after its call was answered: it holds nothing up and makes nothing fail. */
export class BackgroundWork {
  readonly #host: BackgroundHost
  readonly #running = new Set<Promise<void>>()
  readonly #converting = new Set<string>()
  #stopped = false

  constructor(host: BackgroundHost) {
    this.#host = host
  }

  /**
   * After new rows: relations are counted again and looked for, then the rows of the version before get columns. Meanwhile
   * the different values are gathered.
   */
  afterLoad(datasetId: string): void {
    const work = this.#runLater('relations', datasetId, () => this.refreshRelations(datasetId)).finally(() => {
      this.#running.delete(work)
      this.convert(datasetId)
    })
    this.#running.add(work)
    this.#host.waitUntil(work)
    this.#host.waitUntil(this.#runLater('values', datasetId, () => this.#host.warmValues(datasetId)))
  }

  /** When everything that loads have set going has been looked at: whoever asks for relations waits for it. */
  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }

  /** The rows are about to go: nothing is begun any more, and what fails for that is no fault. */
  stop(): void {
    this.#stopped = true
  }

  async refreshRelations(datasetId: string): Promise<void> {
    const { context, ids } = this.#host
    await recountRelations(context(), datasetId)
    await proposeRelations(context(), ids, datasetId)
  }

  /** Writes rows of an earlier release as columns; one dataset is worked on once at a time. */
  convert(datasetId: string): void {
    if (this.#converting.has(datasetId)) return
    const { context, dropDiscarded, waitUntil } = this.#host
    const work = this.#runLater('columns', datasetId, async () => {
      await convertDataset(context(), datasetId)
      await dropDiscarded()
    }).finally(() => this.#converting.delete(datasetId))
    this.#converting.add(datasetId)
    waitUntil(work)
  }

  /** After this call's answer has left. A fault is logged, nobody waits for it. */
  async #runLater(what: string, datasetId: string, work: () => Promise<void>): Promise<void> {
    await this.#host.context().pause()
    if (this.#stopped) return
    await work().catch((error: unknown) => {
      if (!this.#stopped) log('error', what, { dataset: datasetId, error: String(error) })
    })
  }
}
