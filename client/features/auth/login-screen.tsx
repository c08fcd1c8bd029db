import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AuthFrame } from './auth-frame'
import { OtherSignIns } from './other-sign-ins'
import { SignInForm } from './sign-in-form'

export interface LoginScreenProps {
  /** Where the person was going; handed on to registration. */
  returnTo: string | undefined
  onSignedIn: () => void
}

export function LoginScreen({ returnTo, onSignedIn }: LoginScreenProps) {
  const register = (
    <>
      New here?{' '}
      <Anchor
        size="sm"
        underline="always"
        renderRoot={(props) => <Link to="/register" search={{ return: returnTo }} {...props} />}
      >
        Create an account
      </Anchor>
    </>
  )
  return (
    <AuthFrame title="Sign in" below={register}>
      <SignInForm onSignedIn={onSignedIn} />
      <OtherSignIns />
    </AuthFrame>
  )
}
