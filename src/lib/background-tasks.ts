/** Keeps work going after its request, step or call has been answered. */
export interface BackgroundTasks {
  waitUntil(promise: Promise<unknown>): void
}
