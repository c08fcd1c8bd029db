import { AuthFrame } from './auth-frame'
import { RegisterForm } from './register-form'
import { LinkAnchor } from '../../ui/links'

export interface RegisterScreenProps {
  returnTo: string | undefined
  /** The address that is filled in: the one an invitation is for. */
  email?: string | undefined
  onRegistered: () => void
}

export function RegisterScreen({ returnTo, email = '', onRegistered }: RegisterScreenProps) {
  const signIn = (
    <>
      Already have an account?{' '}
      <LinkAnchor to="/login" search={{ return: returnTo }} size="sm" underline="always">
        Sign in
      </LinkAnchor>
    </>
  )
  return (
    <AuthFrame title="Create an account" below={signIn}>
      <RegisterForm email={email} onRegistered={onRegistered} />
    </AuthFrame>
  )
}
