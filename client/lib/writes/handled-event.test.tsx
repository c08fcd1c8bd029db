import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { trackInput, useMayBeUnsaved } from './unsaved-input'

/** What browsers do between two listeners of an event of the person: what was put off is done, changes of state too. */
const pause = (): void => flushSync(() => undefined)
beforeEach(() => document.body.addEventListener('input', pause, true))
afterEach(() => document.body.removeEventListener('input', pause, true))

/** A field that is drawn anew when it is told that something was typed. */
function Field() {
  useEffect(trackInput, [])
  const isUnsaved = useMayBeUnsaved()
  const [text, setText] = useState('')
  return (
    <form>
      <input
        aria-label="Name"
        data-unsaved={isUnsaved}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  )
}

it('draws no field anew before what was just typed is in it', async () => {
  render(<Field />)
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Sales')
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Sales')
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveAttribute('data-unsaved', 'true')
})
