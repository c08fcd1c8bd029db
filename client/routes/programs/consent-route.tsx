import { ConsentForm } from '../../features/account/programs/consent-form'
import { AuthLayout } from '../../features/identity/auth-layout'
import { openedQuery } from '../../features/account/programs/opened-query'
import { authorizationRequestSchema, AUTHORIZE_PATH } from '../../../src/shared/programs/connected-apps'

/** An app's request for access, as its address has it. */
export function ConsentRoute() {
  const query = openedQuery(AUTHORIZE_PATH)
  const of = (name: string): string => query.get(name) ?? ''
  const { data: request } = authorizationRequestSchema.safeParse({
    ...{ clientId: of('client_id'), redirectUri: of('redirect_uri'), responseType: of('response_type') },
    ...{ codeChallenge: of('code_challenge'), codeChallengeMethod: of('code_challenge_method') },
    ...{ scope: of('scope'), state: of('state'), resource: of('resource') },
  })
  const chooseWorkspace = (id: string) => {
    query.set('w', id)
    window.location.assign(`${AUTHORIZE_PATH}?${query.toString()}`)
  }
  return (
    <AuthLayout title="Connect an app" below={null}>
      {request ? (
        <ConsentForm request={request} onChooseWorkspace={chooseWorkspace} />
      ) : (
        'The link is incomplete. Start again in the app.'
      )}
    </AuthLayout>
  )
}
