import { useNavigate } from '@tanstack/react-router'
import { OnboardingLayout } from '../features/profile/onboarding'
import { DeletedWorkspacesCard } from '../features/workspaces/deleted-workspaces'
import { WorkspaceCreateForm } from '../features/workspaces/workspace-create-form'
import { session } from '../lib/session'
import { SUBSCRIPTION_PAGE } from '../lib/plan/upgrade-offer'
import { LinkAnchor } from '../ui/buttons/links'

const ADDITIONAL_WORKSPACE_TEXT = ' A new workspace needs its own plan.'

export function WorkspaceStepRoute() {
  const navigate = useNavigate()
  const { user, workspaces, config } = session()
  const isAdditional = user?.onboarding === 'done'
  const created = (w: string) => {
    if (!isAdditional) return void navigate({ to: '/onboarding/profile', replace: true })
    // A further workspace begins with a plan: that is its first step. It can be looked at and set up without one.
    const unpaid = session().workspace?.entitlements.state === 'awaiting_checkout'
    void navigate({ to: unpaid ? SUBSCRIPTION_PAGE : '/data-sources', search: { w } })
  }
  // The trial goes with the first workspace of one's own.
  const paid = config.billing !== 'off' && workspaces.some(({ role }) => role === 'owner')
  const back =
    workspaces.length > 0 ? (
      <LinkAnchor to="/data-sources" size="sm">
        Back to data sources
      </LinkAnchor>
    ) : (
      <LinkAnchor to="/no-workspace" size="sm">
        Back
      </LinkAnchor>
    )
  return (
    <OnboardingLayout
      step={0}
      title="Name your workspace"
      sentence={`One per company works best. You can change this later.${paid ? ADDITIONAL_WORKSPACE_TEXT : ''}`}
      corner={isAdditional ? back : null}
    >
      <DeletedWorkspacesCard>
        <WorkspaceCreateForm onCreated={created} />
      </DeletedWorkspacesCard>
    </OnboardingLayout>
  )
}
