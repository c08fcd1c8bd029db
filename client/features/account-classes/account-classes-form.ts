import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountClassesSchema } from '../../../src/shared/account-classes'
import type { StatementLine, AccountRange, AccountClasses } from '../../../src/shared/account-classes'
import { formValidator } from '../../lib/validate-form'
import { changedValues } from '../../lib/writes/changed-values'
import { useStoredVersion } from '../../lib/writes/stored-version'
import { accountClassesQuery, saveAccountClasses } from './queries'
import { applyFieldErrors } from '../../ui/forms/form-error'

/** A range while it is typed: '' = no number yet. */
export interface AccountRangeValues {
  /** Of this row of the form, whatever is typed in it. */
  key: string
  from: number | string
  to: number | string
  line: StatementLine
}
export interface AccountClassesValues {
  ranges: AccountRangeValues[]
}

const toAccountClassesValues = (ranges: readonly AccountRange[]): AccountClassesValues => ({
  ranges: ranges.map((range, at) => ({ key: `stored ${at}`, ...range })),
})

const toStoredValues = ({ version, ranges }: AccountClasses) => ({ version, values: toAccountClassesValues(ranges) })

/** By account, so that what overlaps stands side by side; rows without a number come last. */
const sortRanges = (ranges: readonly AccountRangeValues[]): AccountRangeValues[] =>
  ranges.toSorted((a, b) => rangeSortKey(a) - rangeSortKey(b))
const rangeSortKey = ({ from }: AccountRangeValues): number =>
  typeof from === 'number' ? from : Number.POSITIVE_INFINITY

const withoutKey = ({ from, to, line }: AccountRangeValues) => ({ from, to, line })
const validateInput = formValidator(accountClassesSchema)
const validateAccountClasses = ({ ranges }: AccountClassesValues): Record<string, string> =>
  validateInput({ ranges: ranges.map(withoutKey), version: 0 })

/** The ranges as they are sent; null while one of them has no numbers. */
function toAccountRanges({ ranges }: AccountClassesValues): AccountRange[] | null {
  const whole = ranges.flatMap(({ from, to, line }) =>
    typeof from === 'number' && typeof to === 'number' ? [{ from, to, line }] : [],
  )
  return whole.length === ranges.length ? whole : null
}

/** `ranges`: null restores the chart. `sent`: the form as it was then. */
interface Saving {
  ranges: AccountRange[] | null
  sent: AccountClassesValues
}

/** The form of what accounts mean. `submit` puts the ranges in order first, so that every message stands at its own row. */
export function useSaveAccountClasses(stored: AccountClasses) {
  const client = useQueryClient()
  const form = useForm<AccountClassesValues>({
    initialValues: toAccountClassesValues(stored.ranges),
    validate: validateAccountClasses,
  })
  const [version, adopt] = useStoredVersion(form, toStoredValues(stored))
  const saving = useMutation({
    mutationFn: ({ ranges }: Saving) => saveAccountClasses({ ranges, version }),
    onSuccess: (saved, { sent }) => {
      // What was entered while it was on its way is not saved yet.
      adopt(toStoredValues(saved), changedValues(form.getValues(), sent))
      client.setQueryData(accountClassesQuery().queryKey, saved)
      notifications.show({ color: 'green', message: saved.adjusted ? 'Accounts saved' : 'BAS chart restored' })
    },
    onError: (error) => applyFieldErrors(form, error, ['ranges']),
  })
  const submit = (): void => {
    const values = { ranges: sortRanges(form.values.ranges) }
    form.setValues(values)
    const errors = validateAccountClasses(values)
    form.setErrors(errors)
    const ranges = toAccountRanges(values)
    if (ranges && Object.keys(errors).length === 0) saving.mutate({ ranges, sent: values })
  }
  return { form, saving, submit, reset: () => saving.mutate({ ranges: null, sent: form.getValues() }) }
}
