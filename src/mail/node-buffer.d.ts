/** The part of the platform's `node:buffer` that `smtp.ts` uses; Node's own types are kept out of the Worker. */
declare module 'node:buffer' {
  export const Buffer: { from(bytes: ArrayBufferLike, offset: number, length: number): Uint8Array }
}
