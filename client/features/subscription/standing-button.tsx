import { Button, Stack } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ContactButton } from './contact-button'
import { payableOf } from './invoice-words'
import { PLANS_ID } from './plan-names'
import { invoicesQuery, usePortal, useResume } from './queries'
import type { StandingAction } from './standing'
import { FormError } from '../../ui/form-error'
import type { SubscriptionView } from '../../../src/shared/subscription'

/** The button of the one thing to do. */
export function StandingButton({ action, view }: { action: StandingAction; view: SubscriptionView }) {
  switch (action) {
    case 'choose':
      return (
        <Button component="a" href={`#${PLANS_ID}`}>
          {view.state === 'canceled' ? 'Subscribe again' : 'Choose a plan'}
        </Button>
      )
    case 'pay':
      return <PayButton />
    case 'card':
      return (
        <>
          <PortalButton label="Update the card" quiet />
          <PayButton />
        </>
      )
    case 'resume':
      return <ResumeButton version={view.version} />
    case 'contact':
      return <ContactButton />
    case null:
      return null
  }
}

const away = <IconExternalLink size={16} aria-hidden />

/** Leads to the invoice that waits; while invoices cannot be read, to the payment portal, which has it too. */
function PayButton() {
  const invoices = useInfiniteQuery(invoicesQuery())
  const payable = payableOf(invoices.data?.pages.flatMap(({ items }) => items) ?? [])
  if (invoices.isPending) return <Button loading>Pay the invoice</Button>
  if (!payable) return <PortalButton label="Pay the invoice" />
  return (
    <Button component="a" href={payable.url} target="_blank" rel="noopener noreferrer" rightSection={away}>
      Pay the invoice
    </Button>
  )
}

/** Opens the payment provider's own page: cards, invoices, billing address. */
export function PortalButton({ label, quiet = false }: { label: string; quiet?: boolean }) {
  const portal = usePortal()
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        {...(quiet ? { variant: 'default' } : {})}
        rightSection={away}
        loading={portal.isPending || portal.isSuccess}
        onClick={() => portal.mutate()}
      >
        {label}
      </Button>
      <FormError error={portal.error} />
    </Stack>
  )
}

function ResumeButton({ version }: { version: number }) {
  const resume = useResume()
  return (
    <Stack gap="xs" align="flex-start">
      <Button loading={resume.isPending} onClick={() => resume.mutate(version)}>
        Resume subscription
      </Button>
      <FormError error={resume.error} />
    </Stack>
  )
}
