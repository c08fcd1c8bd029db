/** The header of a download: a plain name for old readers, the real one encoded, so that no name can add a header. */
export function attachmentHeader(fileName: string): string {
  const whole = fileName.slice(0, 200).toWellFormed()
  const plain = whole.replace(/[^A-Za-z0-9 ._-]/g, '_')
  const encoded = encodeURIComponent(whole).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
