import { Button, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CreateTokenDialog } from './create-token-dialog'
import { ProgramRow } from './program-row'
import { accessTokensQuery, revokeAccessToken } from './queries'
import { useMayWrite } from '../../../lib/gate'
import { confirmDestructive } from '../../../ui/forms/confirm-dialog'
import { FormError } from '../../../ui/forms/form-error'
import { FormFooter } from '../../../ui/forms/form-footer'
import { MutedText } from '../../../ui/muted-text'
import { QueryView } from '../../../ui/query-view'
import { SectionCard } from '../../../ui/section-card'
import { FormSkeleton } from '../../../ui/skeletons'
import type { SignInMethods } from '../../../../src/shared/account'
import type { AccessToken } from '../../../../src/shared/programs/access-tokens'

/** Tokens by which programs ask in the person's name. */
export function AccessTokensCard({ signIns }: { signIns: SignInMethods }) {
  const [creating, setCreating] = useState(false)
  const mayCreate = useMayWrite('view:data')
  const tokens = useQuery(accessTokensQuery())
  return (
    <SectionCard title="Access tokens" description="Let your own programs read what you see in a workspace.">
      <QueryView query={tokens} skeleton={<FormSkeleton fields={2} />}>
        {(items) => <TokenList tokens={items} now={tokens.dataUpdatedAt} />}
      </QueryView>
      {mayCreate && (
        <FormFooter>
          <Button variant="default" onClick={() => setCreating(true)}>
            Create token
          </Button>
        </FormFooter>
      )}
      {creating && <CreateTokenDialog signIns={signIns} onClose={() => setCreating(false)} />}
    </SectionCard>
  )
}

function TokenList({ tokens, now }: { tokens: AccessToken[]; now: number }) {
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: ({ id }: AccessToken) => revokeAccessToken(id),
    onSuccess: async (_ended, { name }) => {
      notifications.show({ color: 'green', message: `${name} revoked` })
      await client.invalidateQueries(accessTokensQuery())
    },
  })
  if (tokens.length === 0) return <MutedText>No access tokens yet</MutedText>
  const confirmRevoke = (token: AccessToken) =>
    confirmDestructive({
      title: 'Revoke access token?',
      message: `Programs that use ${token.name} stop working at once. Can’t be undone.`,
      confirm: 'Revoke token',
      onConfirm: () => revoke.mutate(token),
    })
  return (
    <>
      <FormError error={revoke.error} />
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {tokens.map((token) => (
          <ProgramRow
            key={token.id}
            kind="token"
            program={token}
            now={now}
            pending={revoke.isPending && revoke.variables.id === token.id}
            onEnd={() => confirmRevoke(token)}
          />
        ))}
      </Stack>
    </>
  )
}
