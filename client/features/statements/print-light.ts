import { useEffect } from 'react'

const SCHEME = 'data-mantine-color-scheme'

/** Paper is white: what is printed while this is on screen has the colours of the light theme. */
export function usePrintLight(): void {
  useEffect(() => {
    const root = document.documentElement
    let shown: string | null = null
    const toLight = (): void => {
      shown = root.getAttribute(SCHEME)
      root.setAttribute(SCHEME, 'light')
    }
    const back = (): void => {
      if (shown !== null) root.setAttribute(SCHEME, shown)
      shown = null
    }
    window.addEventListener('beforeprint', toLight)
    window.addEventListener('afterprint', back)
    return () => {
      window.removeEventListener('beforeprint', toLight)
      window.removeEventListener('afterprint', back)
      back()
    }
  }, [])
}
