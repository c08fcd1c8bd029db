/** HMAC-SHA-256 of UTF-8 text under a key of bytes. */
export async function hmacBytes(key: Uint8Array<ArrayBuffer>, text: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text))
}
