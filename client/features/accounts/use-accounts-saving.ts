import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { validateAccountClasses, sortRanges, toAccountRanges, toAccountClassesValues } from './range-values'
import type { AccountClassesValues } from './range-values'
import { accountClassesQuery, saveAccountClasses } from './queries'
import { applyFieldErrors } from '../../ui/form-error'
import type { AccountClasses, AccountRange } from '../../../src/shared/account-classes'

/** The form of what accounts mean. `submit` puts the ranges in order first, so that every message stands at its own row. */
export function useSaveAccountClasses(stored: AccountClasses) {
  const client = useQueryClient()
  const form = useForm<AccountClassesValues>({
    initialValues: toAccountClassesValues(stored.ranges),
    validate: validateAccountClasses,
  })
  const applySaved = (saved: AccountClasses): void => {
    client.setQueryData(accountClassesQuery().queryKey, saved)
    form.setInitialValues(toAccountClassesValues(saved.ranges))
    form.setValues(toAccountClassesValues(saved.ranges))
  }
  const saving = useMutation({
    mutationFn: (ranges: AccountRange[] | null) => saveAccountClasses({ ranges, version: stored.version }),
    onSuccess: (saved) => {
      applySaved(saved)
      notifications.show({ color: 'green', message: saved.adjusted ? 'Accounts saved.' : 'The BAS chart is back.' })
    },
    onError: (error) => applyFieldErrors(form, error, ['ranges']),
  })
  const submit = (): void => {
    const values = { ranges: sortRanges(form.values.ranges) }
    form.setValues(values)
    const errors = validateAccountClasses(values)
    form.setErrors(errors)
    const ranges = toAccountRanges(values)
    if (ranges && Object.keys(errors).length === 0) saving.mutate(ranges)
  }
  return { form, saving, submit, reset: () => saving.mutate(null) }
}
