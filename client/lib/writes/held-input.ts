import { useEffect, type RefObject } from 'react'

/**
 * While a form is sent that closes once it is saved, its fields take no text: it would be in nothing that is saved. The
 * focus stays where it is, so that a refused form is corrected at once.
 */
export function useHeldInput(form: RefObject<HTMLElement | null>, isSending: boolean): void {
  useEffect(() => {
    const element = form.current
    if (!isSending || !element) return undefined
    const hold = (event: Event): void => event.preventDefault()
    element.addEventListener('beforeinput', hold)
    return () => element.removeEventListener('beforeinput', hold)
  }, [form, isSending])
}
