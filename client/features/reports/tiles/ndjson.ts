/** The lines of an answer, as many at a time as arrived together. Leaving the loop lets go of the connection. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string[], void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      rest = done ? '' : (lines.pop() ?? '')
      const told = lines.filter((line) => line.trim() !== '')
      if (told.length > 0) yield told
      if (done) return
    }
  } finally {
    // Whoever else reads the same answer is not waited for.
    void reader.cancel().catch(() => undefined)
  }
}
