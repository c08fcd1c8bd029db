/** Bytes that nobody can foresee. */
export const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))
