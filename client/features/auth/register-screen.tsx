import { Divider, Stack } from '@mantine/core'
import { AuthLayout } from './auth-frame'
import { ProviderSignIns } from './other-sign-ins'
import { RegisterForm } from './register-form'
import { useSession } from '../../lib/session'
import { LinkAnchor } from '../../ui/links'

export interface RegisterScreenProps {
  returnTo: string | undefined
  /** The address that is filled in: the one an invitation is for. */
  email?: string | undefined
  onRegistered: () => void
}

export function RegisterScreen({ returnTo, email = '', onRegistered }: RegisterScreenProps) {
  const { google, microsoft } = useSession().config.signIn
  const signIn = (
    <>
      Already have an account?{' '}
      <LinkAnchor to="/login" search={{ return: returnTo }} size="sm" underline="always">
        Sign in
      </LinkAnchor>
    </>
  )
  return (
    <AuthLayout title="Create an account" below={signIn}>
      <RegisterForm email={email} onRegistered={onRegistered} />
      {(google || microsoft) && (
        <Stack gap="sm" mt="lg">
          <Divider label="or" />
          <ProviderSignIns returnTo={returnTo} />
        </Stack>
      )}
    </AuthLayout>
  )
}
