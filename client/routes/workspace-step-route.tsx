import { useNavigate } from '@tanstack/react-router'
import { OnboardingFrame } from '../features/onboarding/onboarding-frame'
import { DeletedWorkspacesCard } from '../features/workspace/deleted-workspaces'
import { WorkspaceCreateForm } from '../features/workspace/workspace-create-form'
import { session } from '../lib/session'
import { LinkAnchor } from '../ui/links'

export function WorkspaceStepRoute() {
  const navigate = useNavigate()
  const { user, workspaces } = session()
  const added = user?.onboarding === 'done'
  const created = (w: string) =>
    void navigate(added ? { to: '/data-sources', search: { w } } : { to: '/onboarding/profile', replace: true })
  const back = (
    <LinkAnchor to="/data-sources" size="sm">
      Back to data sources
    </LinkAnchor>
  )
  return (
    <OnboardingFrame
      step={0}
      title="Name your workspace"
      sentence="One workspace per company works best. Everything here can be changed later."
      corner={added && workspaces.length > 0 ? back : null}
    >
      <DeletedWorkspacesCard />
      <WorkspaceCreateForm onCreated={created} />
    </OnboardingFrame>
  )
}
