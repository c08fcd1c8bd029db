import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { connectApp, consentQuery } from './queries'
import { ScopeChoice } from './scope-choice'
import { signInsQuery } from '../queries'
import { ReauthenticationField, wrongPasswordMessage } from '../reauthentication-field'
import { useSession } from '../../../lib/session'
import { fieldErrors, FormError } from '../../../ui/forms/form-error'
import { QueryView } from '../../../ui/query-view'
import { FormSkeleton } from '../../../ui/skeletons'
import type { SignInMethods } from '../../../../src/shared/account'
import type { TokenScope } from '../../../../src/shared/programs/access-tokens'
import type { AuthorizationRequest, ConsentQuestion } from '../../../../src/shared/programs/connected-apps'

export interface ConsentFormProps {
  /** What the app asks for. */
  request: AuthorizationRequest
  /** Moves the tab to another of the person's workspaces. */
  onChooseWorkspace: (id: string) => void
}

/** Asks whether an app may ask in the person's name: which workspace, what of it, and where the answer goes. */
export function ConsentForm(props: ConsentFormProps) {
  const question = useQuery(consentQuery(props.request))
  const signIns = useQuery(signInsQuery())
  return (
    <QueryView query={question} skeleton={<FormSkeleton />}>
      {(asked) => (
        <QueryView query={signIns} skeleton={<FormSkeleton />}>
          {(methods) => <Consent {...props} asked={asked} signIns={methods} />}
        </QueryView>
      )}
    </QueryView>
  )
}

interface ConsentProps extends ConsentFormProps {
  asked: ConsentQuestion
  signIns: SignInMethods
}

function Consent({ request, asked, signIns, onChooseWorkspace }: ConsentProps) {
  const { user, workspace, workspaces } = useSession()
  const [scopes, setScopes] = useState<TokenScope[]>(asked.scopes)
  const [password, setPassword] = useState('')
  const connect = useMutation({
    mutationFn: connectApp,
    onSuccess: ({ redirectTo }) => window.location.assign(redirectTo),
  })
  const errors = fieldErrors(connect.error)
  const passwordError = wrongPasswordMessage(connect.error) ?? errors?.['password'] ?? null
  const submit = () => connect.mutate({ request, scopes, ...(password === '' ? {} : { password }) })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      noValidate
    >
      <Stack gap="md">
        <Text>
          <b>{asked.name}</b> wants to read what you see. You’re signed in as {user?.email ?? user?.name}.
        </Text>
        <Alert color="yellow" title={asked.local ? 'An app on this device' : `You’ll go to ${asked.host}`}>
          Continue only if you started this in an app you trust.
        </Alert>
        {passwordError === null && <FormError error={connect.error} />}
        <Select
          label="Workspace"
          allowDeselect={false}
          data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          value={workspace?.id ?? null}
          onChange={(id) => id !== null && onChooseWorkspace(id)}
        />
        <ScopeChoice offered={asked.scopes} value={scopes} onChange={setScopes} error={errors?.['scopes']} />
        <Text size="sm" c="dimmed">
          Access ends after 90 days without use, or after a year. You can disconnect the app in your profile.
        </Text>
        <ReauthenticationField signIns={signIns} value={password} error={passwordError} onChange={setPassword} />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => window.location.assign(asked.denyUrl)}>
            Cancel
          </Button>
          <Button type="submit" loading={connect.isPending} disabled={scopes.length === 0 || !workspace}>
            Connect app
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
