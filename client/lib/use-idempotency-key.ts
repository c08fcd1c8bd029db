import { useRef } from 'react'
import { idempotencyKey } from './api'

/** One key for one intent: it changes with what is sent, and stays while the same is tried again. */
export function useIdempotencyKey(): (input: unknown) => string {
  const last = useRef({ body: '', key: '' })
  return (input) => {
    const body = JSON.stringify(input)
    if (last.current.body !== body) last.current = { body, key: idempotencyKey() }
    return last.current.key
  }
}
