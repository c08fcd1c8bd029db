/** The lines of an answer as they arrive. Leaving the loop lets go of the connection. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      rest = done ? '' : (lines.pop() ?? '')
      for (const line of lines) if (line.trim() !== '') yield line
      if (done) return
    }
  } finally {
    // Whoever else reads the same answer is not waited for.
    void reader.cancel().catch(() => undefined)
  }
}
