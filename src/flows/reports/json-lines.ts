/**
 * Values as lines of JSON, written as they come. What stands in the way of the first is thrown before anything is told.
 * `stop`: nobody reads them any more.
 */
export async function jsonLines<T>(
  values: AsyncGenerator<T>,
  { stop, write = JSON.stringify }: { stop: () => void; write?: (value: T) => string },
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  const first = await values.next()
  let begun = false
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = begun ? await values.next() : first
      begun = true
      if (next.done === true) return controller.close()
      controller.enqueue(encoder.encode(`${write(next.value)}\n`))
    },
    cancel: stop,
  })
}
