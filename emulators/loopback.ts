const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Whether an address is of this machine. */
export const isLoopback = (url: string): boolean => URL.canParse(url) && LOOPBACK.has(new URL(url).hostname)

/** What a page that is not of this machine is told; null: the call is answered. */
export function refuseForeign(request: Request): Response | null {
  const origin = request.headers.get('origin')
  if (isLoopback(request.url) && (origin === null || origin === 'null' || isLoopback(origin))) return null
  return new Response('This stand-in answers its own machine only.', { status: 403 })
}
