/** Files imported with `?inline` (data addresses), as bytes by their name. */
export function fixtureFiles(imported: Record<string, string>): Map<string, Uint8Array> {
  return new Map(
    Object.entries(imported).map(([path, url]) => {
      const binary = atob(url.slice(url.indexOf(',') + 1))
      return [path.slice(path.lastIndexOf('/') + 1), Uint8Array.from(binary, (c) => c.charCodeAt(0))] as const
    }),
  )
}
