const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a host name, as a `URL` says it, is the machine itself. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.has(hostname)
