import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { DETAIL_FIELDS } from '../plan-prices'
import { ApiError } from '../../../lib/api'
import { fieldErrors, FormError } from '../../../ui/forms/form-error'
import type { ErrorCode } from '../../../../src/shared/errors'

const ERROR_TEXT: Partial<Record<ErrorCode, { title: string; advice: string }>> = {
  billing_unavailable: {
    title: 'Couldn’t reach billing',
    advice: 'Try again. You won’t be charged twice.',
  },
  version_conflict: {
    title: 'Subscription changed elsewhere',
    advice: 'Check the updated price, then confirm again.',
  },
  in_use: {
    title: 'Already subscribed',
    advice: 'Confirming changes that subscription. Check the price first.',
  },
}

const isDetailField = (path: string): boolean => DETAIL_FIELDS.some((field) => field === path)

/** What the server says of a choice or an order as a whole; null when it names fields of the form only. */
function errorSentence(error: ApiError): string | null {
  const fields = Object.entries(fieldErrors(error) ?? {})
  const whole = fields.filter(([path]) => !isDetailField(path)).map(([, sentence]) => sentence)
  if (whole.length > 0) return whole.join(' ')
  return error.body.code === 'in_use' ? error.message : null
}

export interface CheckoutErrorProps {
  error: unknown
  /** What failed: "Couldn’t place the order" */
  title: string
  /** A first purchase was tried. */
  first?: boolean
}

/** Why nothing was ordered, and what to do about it. What belongs to a field is said beside it. */
export function CheckoutError({ error, title, first = false }: CheckoutErrorProps) {
  if (!(error instanceof ApiError)) return <FormError error={error} />
  const { code } = error.body
  const own = code === 'in_use' && !first ? undefined : ERROR_TEXT[code]
  const sentence = errorSentence(error) ?? (code === 'invalid_input' ? 'Check the highlighted fields.' : null)
  const words = own ?? (sentence === null ? undefined : { title, advice: sentence })
  if (!words) return <FormError error={error} />
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title={words.title}>
      {words.advice}
    </Alert>
  )
}
