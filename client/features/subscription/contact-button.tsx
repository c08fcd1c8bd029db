import { Button } from '@mantine/core'
import { useState } from 'react'
import { ContactSalesDialog } from './contact-dialog'

/** Opens the form that reaches the people who make agreements. */
export function ContactSalesButton({ label = 'Contact us', full = false }: { label?: string; full?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button {...(full ? { fullWidth: true, variant: 'default' } : {})} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && <ContactSalesDialog onClose={() => setOpen(false)} />}
    </>
  )
}
