/** The part of the platform's `node:net` that `smtp.ts` uses; Node's own types are kept out of the Worker. */
declare module 'node:net' {
  export interface Socket {
    once(event: 'connect', listener: () => void): this
    once(event: 'error', listener: (error: Error) => void): this
    off(event: 'error', listener: (error: Error) => void): this
    setTimeout(milliseconds: number, onTimeout?: () => void): this
    destroy(): void
  }
  export function connect(to: { host: string; port: number }): Socket
}
