import { useMutation } from '@tanstack/react-query'
import { saveOnboardingStep } from './queries'

/** Moves to a step; the screen shows `error` and may try again. */
export function useOnboardingStep(step: 'profile' | 'source' | 'done', onReached?: () => void) {
  return useMutation({ mutationFn: () => saveOnboardingStep(step), ...(onReached ? { onSuccess: onReached } : {}) })
}
