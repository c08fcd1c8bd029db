/** The part of the platform's `node:crypto` that is used: SHA-256 of text, at once. */
declare module 'node:crypto' {
  interface Hash {
    update(text: string): Hash
    digest(encoding: 'hex'): string
  }
  export function createHash(algorithm: 'sha256'): Hash
}
