import { Button } from '@mantine/core'
import { useState } from 'react'
import { ContactDialog } from './contact-dialog'

/** Opens the form that reaches the people who make agreements. */
export function ContactButton({ label = 'Contact us', full = false }: { label?: string; full?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button {...(full ? { fullWidth: true, variant: 'default' } : {})} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && <ContactDialog onClose={() => setOpen(false)} />}
    </>
  )
}
