//! Ways to read a text: markers, signatures, and tool states of a program's own.

use crate::held::Setting;
use tokenweir::segment::{Markers, Options, Profile, Reasoning, SegmentType, Signatures, ToolState};

/// States of a program's own: one that waits and has markers, one that begins
/// with its content, one that is raw.
const OWN: [ToolState; 3] = [
    ToolState {
        tool: "note",
        segment_type: SegmentType::Own,
        content: "text",
        start_when: &["to"],
        metadata: &["lang"],
        markers: Some(("<S>", "</E>")),
    },
    ToolState {
        tool: "List",
        segment_type: SegmentType::ToolCall,
        content: "item",
        start_when: &[],
        metadata: &["lang", "path"],
        markers: None,
    },
    ToolState {
        tool: "raw",
        segment_type: SegmentType::RunBash,
        content: "",
        start_when: &[],
        metadata: &[],
        markers: None,
    },
];

/// How JSON tools of a program's own begin.
const CALLS: [&str; 2] = ["{\"call it\":", "[[\"call\""];

/// How a text is read, in words.
#[derive(Clone, Debug)]
pub struct Way {
    pub markers: Markers,
    pub reasoning: Reasoning,
    pub profile: Option<Profile>,
    pub has_own: bool,
    /// A tool that is made generic.
    pub generic: Option<&'static str>,
}

impl Way {
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        options.markers = self.markers;
        options.reasoning = self.reasoning;
        options.signatures = match self.profile {
            Some(profile) => Signatures::of(profile),
            None => CALLS.iter().fold(Signatures::NONE, |mut signatures, call| {
                assert!(signatures.add(call.as_bytes()), "{call}");
                signatures
            }),
        };
        for state in OWN.iter().filter(|_| self.has_own) {
            assert!(options.add_state(state), "{state:?}");
        }
        if let Some(tool) = self.generic {
            options.add_generic(tool);
        }
        options
    }

    pub fn setting(&self) -> Setting<'static> {
        let own = OWN.iter().filter(|_| self.has_own).map(|state| (state.tool, Some(*state)));
        Setting {
            markers: self.markers,
            reasoning: self.reasoning,
            signatures: self.profile.map_or(CALLS.to_vec(), |profile| profile.signatures().to_vec()),
            states: own.chain(self.generic.map(|tool| (tool, None))).collect(),
        }
    }
}
