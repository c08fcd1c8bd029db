import { Alert, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { AuthLayout } from './auth-layout'
import { AlternativeSignIns, SignInForm } from './sign-in-form'
import { describeOauthProblem } from '../../lib/oauth-problem'
import { useSession } from '../../lib/session'
import { LinkAnchor } from '../../ui/buttons/links'

export interface LoginScreenProps {
  /** Where the person was going; handed on to registration. */
  returnTo: string | undefined
  /** Why a sign-in with a provider came to nothing, and which. */
  problem: string | undefined
  provider?: string | undefined
  /** The address that is filled in: the one an invitation is for. */
  email?: string | undefined
  onSignedIn: () => void
}

export function LoginScreen({ returnTo, problem, provider, email = '', onSignedIn }: LoginScreenProps) {
  const { emailLink } = useSession().config.signIn
  const problemWords = describeOauthProblem(problem, provider)
  const register = (
    <>
      New here?{' '}
      <LinkAnchor to="/register" search={{ return: returnTo }} size="sm" underline="always">
        Create an account
      </LinkAnchor>
    </>
  )
  return (
    <AuthLayout title="Sign in" below={register}>
      {problemWords !== null && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} role="alert" mb="md">
          {problemWords}
        </Alert>
      )}
      <SignInForm email={email} onSignedIn={onSignedIn} />
      <Group justify="space-between" gap="xs" mt="sm">
        <LinkAnchor to="/reset" size="sm">
          Forgot password?
        </LinkAnchor>
        {emailLink && (
          <LinkAnchor to="/auth/link" search={{ return: returnTo }} size="sm">
            Email me a sign-in link
          </LinkAnchor>
        )}
      </Group>
      <AlternativeSignIns returnTo={returnTo} onSignedIn={onSignedIn} />
    </AuthLayout>
  )
}
