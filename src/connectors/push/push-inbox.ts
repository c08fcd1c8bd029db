import type { RpcResult } from '../../shared/errors'

/** A batch as a program sent it. */
export interface SentBatch {
  tokenHash: string
  idempotencyKey: string | null
  isNdjson: boolean
  body: string
}
/** What is answered once a batch is kept. */
export interface PushAnswer {
  accepted: number
  batch: string
}
export interface WaitingBatch {
  seq: number
  body: string
  rowCount: number
}
export interface InboxPortion {
  batches: number
  chars: number
}

/** What whoever applies batches asks of the place where they wait. */
export interface WaitingBatches {
  hasWaiting(): boolean | Promise<boolean>
  /** The oldest first: as many as fit into memory at once, one at least. */
  waiting(most: InboxPortion): WaitingBatch[] | Promise<WaitingBatch[]>
  applied(seqs: readonly number[]): void | Promise<void>
}

/** The object in which the batches of one source wait until they are in its table. It is named by the source's id. */
export interface PushInboxRpc extends Rpc.DurableObjectBranded {
  /** Keeps a batch; it is not lost once this answers. */
  receive(sourceId: string, batch: SentBatch): Promise<RpcResult<PushAnswer>>
  hasWaiting(): Promise<boolean>
  waiting(most: InboxPortion): Promise<WaitingBatch[]>
  applied(seqs: readonly number[]): Promise<void>
  /** Goes on with what waits. */
  wake(sourceId: string): Promise<void>
  /** What was known of the source's token and standing holds no more. */
  forget(): Promise<void>
  /** Nothing of it is left. */
  erase(): Promise<void>
}
