import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { checkAccounts, inOrder, rangesOf, valuesOf } from './range-values'
import type { AccountValues } from './range-values'
import { accountClassesQuery, saveAccountClasses } from './queries'
import { applyFieldErrors } from '../../ui/form-error'
import type { AccountClasses, AccountRange } from '../../../src/shared/account-classes'

/** The form of what accounts mean. `submit` puts the ranges in order first, so that every message stands at its own row. */
export function useAccountsSaving(stored: AccountClasses) {
  const client = useQueryClient()
  const form = useForm<AccountValues>({ initialValues: valuesOf(stored.ranges), validate: checkAccounts })
  const adopt = (saved: AccountClasses): void => {
    client.setQueryData(accountClassesQuery().queryKey, saved)
    form.setInitialValues(valuesOf(saved.ranges))
    form.setValues(valuesOf(saved.ranges))
  }
  const saving = useMutation({
    mutationFn: (ranges: AccountRange[] | null) => saveAccountClasses({ ranges, version: stored.version }),
    onSuccess: (saved) => {
      adopt(saved)
      notifications.show({ color: 'green', message: saved.adjusted ? 'Accounts saved.' : 'The BAS chart is back.' })
    },
    onError: (error) => applyFieldErrors(form, error, ['ranges']),
  })
  const submit = (): void => {
    const values = { ranges: inOrder(form.values.ranges) }
    form.setValues(values)
    const errors = checkAccounts(values)
    form.setErrors(errors)
    const ranges = rangesOf(values)
    if (ranges && Object.keys(errors).length === 0) saving.mutate(ranges)
  }
  return { form, saving, submit, reset: () => saving.mutate(null) }
}
