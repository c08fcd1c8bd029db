import { QueryView } from '../../ui/query-view'
import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle } from '@tabler/icons-react'
import { PersonalDataCard } from './personal-data-card'
import { EmailCard } from './email-card'
import { AccessTokensCard } from './programs/access-tokens-card'
import { ConnectedAppsCard } from './programs/connected-apps-card'
import { PasswordCard } from './password-card'
import { signInsQuery } from './queries'
import { SessionsCard } from './sessions-card'
import { SignInMethodsCard } from './sign-in-methods-card'
import { describeOauthProblem } from '../../lib/oauth-problem'
import { PageHeader } from '../../ui/page-header'
import { FormSkeleton } from '../../ui/skeletons'

export interface AuthenticationScreenProps {
  /** Why connecting a provider came to nothing. */
  problem: string | undefined
}

/** How a person gets into their account, and where they are in it now. */
export function AuthenticationScreen({ problem }: AuthenticationScreenProps) {
  const signIns = useQuery(signInsQuery())
  const words = describeOauthProblem(problem)
  return (
    <>
      <PageHeader title="Sign-in and security" />
      <Stack gap="lg">
        {words !== null && (
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} role="alert">
            {words}
          </Alert>
        )}
        <QueryView query={signIns} skeleton={<FormSkeleton />}>
          {(data) => (
            <>
              <PasswordCard signIns={data} />
              <EmailCard signIns={data} />
              <SignInMethodsCard signIns={data} now={signIns.dataUpdatedAt} />
              <SessionsCard />
              <ConnectedAppsCard />
              <AccessTokensCard signIns={data} />
              <PersonalDataCard signIns={data} />
            </>
          )}
        </QueryView>
      </Stack>
    </>
  )
}
