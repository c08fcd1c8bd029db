import { useMutation, useQueryClient } from '@tanstack/react-query'
import { profileQuery, saveProfile } from './queries'
import { loadSession } from '../../lib/session-calls'
import { applyFieldErrors } from '../../ui/form-error'
import type { Profile } from '../../../src/shared/account'

const PROFILE_FIELDS = ['name', 'job', 'goals', 'locale', 'notifications']

/** Saves the profile; the page's own data (name, dates) follows. */
export function useSaveProfile(
  form: { setErrors: (errors: Record<string, string>) => void },
  onSaved: (saved: Profile) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: saveProfile,
    onSuccess: async (saved) => {
      client.setQueryData(profileQuery().queryKey, saved)
      await loadSession()
      onSaved(saved)
    },
    onError: (error) => void applyFieldErrors(form, error, PROFILE_FIELDS),
  })
}
