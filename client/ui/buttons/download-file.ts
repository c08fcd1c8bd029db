/** Hands bytes to the person as a file. */
export function downloadFile(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has its own hold on the bytes once it has begun.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** The file's name as the server gives it, by RFC 5987. */
function fileNameOf(header: string | null, otherwise: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(header ?? '')?.[1]
  try {
    return encoded === undefined ? otherwise : decodeURIComponent(encoded)
  } catch {
    return otherwise
  }
}

/** Hands the bytes of an answer to the person, under the name that it gives them. */
export async function downloadAnswer(response: Response, otherwise: string): Promise<void> {
  const name = fileNameOf(response.headers.get('content-disposition'), otherwise)
  downloadFile(await response.blob(), name)
}
