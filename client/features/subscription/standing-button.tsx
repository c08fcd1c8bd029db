import { Button, Stack } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ContactSalesButton } from './contact-button'
import { firstPayableInvoice } from './invoice-words'
import { PLANS_ANCHOR } from './plan-names'
import { invoicesQuery, useOpenPortal, useResumeSubscription } from './queries'
import type { StatusAction } from './standing'
import { FormError } from '../../ui/form-error'
import type { SubscriptionView } from '../../../src/shared/subscription'

/** The button of the one thing to do. */
export function StatusActionButton({ action, view }: { action: StatusAction; view: SubscriptionView }) {
  switch (action) {
    case 'choose':
      return (
        <Button component="a" href={`#${PLANS_ANCHOR}`}>
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
      return <ContactSalesButton />
    case null:
      return null
  }
}

const externalIcon = <IconExternalLink size={16} aria-hidden />

/** Leads to the invoice that waits; while invoices cannot be read, to the payment portal, which has it too. */
function PayButton() {
  const invoices = useInfiniteQuery(invoicesQuery())
  const payable = firstPayableInvoice(invoices.data?.pages.flatMap(({ items }) => items) ?? [])
  if (invoices.isPending) return <Button loading>Pay the invoice</Button>
  if (!payable) return <PortalButton label="Pay the invoice" />
  return (
    <Button component="a" href={payable.url} target="_blank" rel="noopener noreferrer" rightSection={externalIcon}>
      Pay the invoice
    </Button>
  )
}

/** Opens the payment provider's own page: cards, invoices, billing address. */
export function PortalButton({ label, quiet = false }: { label: string; quiet?: boolean }) {
  const portal = useOpenPortal()
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        {...(quiet ? { variant: 'default' } : {})}
        rightSection={externalIcon}
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
  const resume = useResumeSubscription()
  return (
    <Stack gap="xs" align="flex-start">
      <Button loading={resume.isPending} onClick={() => resume.mutate(version)}>
        Resume subscription
      </Button>
      <FormError error={resume.error} />
    </Stack>
  )
}
