/** The part of the platform's `node:zlib` that is used here; Node's own types are kept out of the Worker. */
declare module 'node:zlib' {
  interface BrotliOptions {
    params?: Record<number, number>
    maxOutputLength?: number
    /** Bytes of each piece of what comes out. */
    chunkSize?: number
  }
  /** A stream that inflates no more than is read of it, and a piece beside. */
  interface InflateStream {
    /** Input that was taken in; less than was written once the compressed data has come to its end. */
    readonly bytesWritten: number
    write(bytes: Uint8Array, done: () => void): void
    end(done: () => void): void
    read(): Uint8Array | null
    on(event: 'readable' | 'end', heard: () => void): void
    on(event: 'error', heard: (cause: unknown) => void): void
    destroy(): void
  }
  const zlib: {
    createInflateRaw(options: { chunkSize: number }): InflateStream
    brotliCompressSync(bytes: Uint8Array, options?: BrotliOptions): Uint8Array
    brotliDecompressSync(bytes: Uint8Array, options?: BrotliOptions): Uint8Array
    crc32(bytes: Uint8Array, previous?: number): number
    constants: { BROTLI_PARAM_QUALITY: number }
  }
  export default zlib
}
