/** The part of the platform's `node:zlib` that is used here; Node's own types are kept out of the Worker. */
declare module 'node:zlib' {
  interface BrotliOptions {
    params?: Record<number, number>
    maxOutputLength?: number
    /** Bytes of each piece of what comes out. */
    chunkSize?: number
  }
  const zlib: {
    brotliCompressSync(bytes: Uint8Array, options?: BrotliOptions): Uint8Array
    brotliDecompressSync(bytes: Uint8Array, options?: BrotliOptions): Uint8Array
    crc32(bytes: Uint8Array, previous?: number): number
    constants: { BROTLI_PARAM_QUALITY: number }
  }
  export default zlib
}
