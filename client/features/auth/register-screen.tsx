import { AuthFrame } from './auth-frame'
import { RegisterForm } from './register-form'
import { LinkAnchor } from '../../ui/links'

export interface RegisterScreenProps {
  returnTo: string | undefined
  onRegistered: () => void
}

export function RegisterScreen({ returnTo, onRegistered }: RegisterScreenProps) {
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
      <RegisterForm onRegistered={onRegistered} />
    </AuthFrame>
  )
}
