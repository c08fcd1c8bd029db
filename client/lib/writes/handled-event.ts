/**
 * Hears an event of the page once the app's own handlers have had it; answers how to stop. A listener on the way to them
 * that changes state lets the page be drawn before them, in the pause that browsers make between two listeners: a field
 * would be set back to what it held before, and what was just typed into it be lost.
 */
export function onHandled(event: 'input' | 'change', listener: (event: Event) => void): () => void {
  document.addEventListener(event, listener)
  return () => document.removeEventListener(event, listener)
}
