import { useEffect, useRef } from 'react'
import { registerContainer } from './app-check'
import { useSession } from './session'

/** In a form: where the check that tells people from programs shows itself, if it needs a click. Usually empty. */
export function AppCheckContainer() {
  const box = useRef<HTMLDivElement>(null)
  const shown = useSession().config.appCheck !== null
  useEffect(() => (shown && box.current ? registerContainer(box.current) : undefined), [shown])
  return shown ? <div ref={box} role="group" aria-label="Check that you are a person" /> : null
}
