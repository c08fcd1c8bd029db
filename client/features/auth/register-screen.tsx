import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AuthFrame } from './auth-frame'
import { RegisterForm } from './register-form'

export interface RegisterScreenProps {
  returnTo: string | undefined
  onRegistered: () => void
}

export function RegisterScreen({ returnTo, onRegistered }: RegisterScreenProps) {
  const signIn = (
    <>
      Already have an account?{' '}
      <Anchor
        size="sm"
        underline="always"
        renderRoot={(props) => <Link to="/login" search={{ return: returnTo }} {...props} />}
      >
        Sign in
      </Anchor>
    </>
  )
  return (
    <AuthFrame title="Create an account" below={signIn}>
      <RegisterForm onRegistered={onRegistered} />
    </AuthFrame>
  )
}
