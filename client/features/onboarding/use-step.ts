import { useMutation } from '@tanstack/react-query'
import { reachStep } from './queries'

/** Moves to a step; the screen shows `error` and may try again. */
export function useStep(step: 'profile' | 'source' | 'done', onReached?: () => void) {
  return useMutation({ mutationFn: () => reachStep(step), ...(onReached ? { onSuccess: onReached } : {}) })
}
