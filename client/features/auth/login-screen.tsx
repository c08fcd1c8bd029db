import { AuthFrame } from './auth-frame'
import { OtherSignIns } from './other-sign-ins'
import { SignInForm } from './sign-in-form'
import { LinkAnchor } from '../../ui/links'

export interface LoginScreenProps {
  /** Where the person was going; handed on to registration. */
  returnTo: string | undefined
  onSignedIn: () => void
}

export function LoginScreen({ returnTo, onSignedIn }: LoginScreenProps) {
  const register = (
    <>
      New here?{' '}
      <LinkAnchor to="/register" search={{ return: returnTo }} size="sm" underline="always">
        Create an account
      </LinkAnchor>
    </>
  )
  return (
    <AuthFrame title="Sign in" below={register}>
      <SignInForm onSignedIn={onSignedIn} />
      <OtherSignIns onSignedIn={onSignedIn} />
    </AuthFrame>
  )
}
