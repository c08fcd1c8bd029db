import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { applyFieldErrors, FormError, useErrorUntilChange } from './form-error'
import { NewPasswordInput } from './new-password-input'
import { PasswordField } from './password-field'
import { ApiError } from '../../lib/api'
import { renderWithProviders } from '../../test/render'
import { ERRORS, type ErrorCode } from '../../../src/shared/errors'

const refusal = (code: ErrorCode, details: Record<string, unknown> = {}) =>
  new ApiError(ERRORS[code].status, { ...details, code, message: ERRORS[code].message, requestId: 'r' })

function SignIn({ refuse }: { refuse: () => ApiError }) {
  const form = useForm({ initialValues: { email: 'a@x.se', password: 'p' } })
  const [refused, setRefused] = useState<ApiError | null>(null)
  const submit = () => {
    const error = refuse()
    applyFieldErrors(form, error, ['email', 'password'])
    setRefused(error)
  }
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <FormError error={refused} />
      <TextInput label="Email" {...form.getInputProps('email')} />
      <PasswordField label="Password" {...form.getInputProps('password')} />
      <Button type="submit">Sign in</Button>
    </form>
  )
}
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
const password = () => screen.getByLabelText('Password')

describe('a refusal above a form', () => {
  it('marks the fields that it is about, and goes with the next entry', async () => {
    await renderWithProviders(<SignIn refuse={() => refusal('invalid_credentials')} />)
    await submit()
    expect(screen.getByRole('alert')).toHaveTextContent('Incorrect email or password')
    expect(screen.getByLabelText('Email')).toHaveAttribute('aria-invalid', 'true')
    expect(password()).toHaveAttribute('aria-invalid', 'true')
    await userEvent.type(password(), 'x')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(password()).not.toHaveAttribute('aria-invalid')
    await submit()
    expect(screen.getByRole('alert')).toBeVisible()
  })

  it('says beside a field what is wrong with it, and describes the field by it', async () => {
    await renderWithProviders(
      <SignIn refuse={() => refusal('invalid_input', { fields: { password: 'Enter a longer one.' } })} />,
    )
    await submit()
    expect(password()).toHaveAccessibleDescription('Enter a longer one.')
  })

  it('stays while its cause does, with the reference of a fault of ours', async () => {
    await renderWithProviders(<SignIn refuse={() => refusal('internal')} />)
    await submit()
    await userEvent.type(password(), 'x')
    expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong')
    expect(screen.getByRole('alert')).toHaveTextContent('Reference ID: r')
  })
})

it('says nothing of a value that was refused once there is another, and again when that is refused', async () => {
  function Field() {
    const [value, setValue] = useState('old')
    const [error, setError] = useState<string | null>('Incorrect password')
    return (
      <>
        <PasswordField
          label="Password"
          value={value}
          error={useErrorUntilChange(error, value)}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Button onClick={() => setError(null)}>Send</Button>
        <Button onClick={() => setError('Incorrect password')}>Refuse</Button>
      </>
    )
  }
  await renderWithProviders(<Field />)
  expect(screen.getByText('Incorrect password')).toBeVisible()
  await userEvent.type(password(), 'x')
  expect(screen.queryByText('Incorrect password')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await userEvent.click(screen.getByRole('button', { name: 'Refuse' }))
  expect(screen.getByText('Incorrect password')).toBeVisible()
})

it('describes a new password by what is missing, or by what was refused', async () => {
  const { unmount } = await renderWithProviders(<NewPasswordInput label="Password" value="short" onChange={() => {}} />)
  expect(password()).toHaveAccessibleDescription('7 more characters')
  unmount()
  await renderWithProviders(<NewPasswordInput label="Password" value="short" error="Too common" onChange={() => {}} />)
  expect(password()).toHaveAttribute('aria-invalid', 'true')
  expect(password()).toHaveAccessibleDescription('Too common')
})
